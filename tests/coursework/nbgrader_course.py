"""Run in an environment that has nbgrader: ``python nbgrader_course.py COURSE NAME …``.

COURSE has ``source/NAME``. Each assignment is generated, then handed in twice: solved, and as it was handed out; what
became of it is printed as a line of JSON.
"""

import json
import logging
import shutil
import sys
from pathlib import Path


def main(course: Path, names: list[str]) -> None:
    from nbgrader.apps import NbGraderAPI
    from traitlets.config import Config

    config = Config()
    config.CourseDirectory.root = str(course)
    config.CourseDirectory.course_id = "course"
    config.Execute.timeout = 900
    api = NbGraderAPI(config=config)
    logging.disable(logging.INFO)
    for name in names:
        result = {"name": name, "steps": {"generate": outcome(api.generate_assignment(name, force=True))}}
        for student, origin in (("solved", "source"), ("untouched", "release")):
            folder = course / "submitted" / student / name
            shutil.copytree(course / origin / name, folder)
            result["steps"][f"autograde {student}"] = outcome(api.autograde(name, student))
            result["steps"][f"feedback {student}"] = outcome(api.generate_feedback(name, student))
            found = api.get_submission(name, student)
            result[student] = {
                key: found[key] for key in ("code_score", "max_code_score", "written_score", "max_score")
            }
            result[student]["page"] = (course / "feedback" / student / name / f"{name}.html").is_file()
        print(json.dumps(result), flush=True)


def outcome(done: dict) -> str:
    """Empty when a step worked, else the end of what it says."""
    return "" if done["success"] else (done.get("error") or done.get("log") or "failed")[-2000:]


if __name__ == "__main__":
    main(Path(sys.argv[1]), sys.argv[2:])

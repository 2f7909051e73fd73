root => {
  const frames = [...root.querySelectorAll(':scope > .anonnb-frame')].filter(frame => frame.offsetParent);
  if (frames.length !== 1) return {place: `${frames.length} frames`, words: "", pictures: ""};
  const pictures = [...frames[0].querySelectorAll("img")];
  const drawn = pictures.every(picture => picture.complete && picture.naturalWidth > 0);
  return {
    place: frames[0].dataset.at,
    words: frames[0].innerText + pictures.map(picture => picture.alt).join(),
    pictures: drawn ? pictures.map(picture => picture.src).join() : "a broken picture",
  };
}
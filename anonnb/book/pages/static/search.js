// Excerpts in search results are fetched page by page, which a browser refuses for pages that were opened from the disk.
DOCUMENTATION_OPTIONS.SHOW_SEARCH_SUMMARY = location.protocol !== "file:";

() => {
  const root = document.querySelector("#notebook-container");
  const found = [...root.querySelectorAll("script, iframe, object, embed, img, svg, math, details, link, form")];
  const acting = [...root.querySelectorAll("*")].filter(one => [...one.attributes].some(a => a.name.startsWith("on")));
  const links = [...root.querySelectorAll("a[href]")].filter(one => !one.getAttribute("href").startsWith("#"));
  return [...found, ...acting, ...links].map(one => one.outerHTML.slice(0, 200));
}
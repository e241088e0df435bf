// A featured image that is not shown is replaced by the reason.
async function explainImage() {
  const image = /** @type {HTMLImageElement | null | undefined} */ (shownText?.contentDocument?.querySelector("figure img[width]"));
  if (!image || image.naturalWidth > 0) return;
  const answer = await fetch(image.src).catch(() => null);
  if (answer?.ok) {
    // It is there by now, and the browser has kept it.
    image.src = answer.url;
    return;
  }
  const why = image.ownerDocument.createElement("p");
  why.className = "problem";
  why.textContent = await answer?.text() || "The image cannot be loaded.";
  image.replaceWith(why);
  fitText();
  announce(why.textContent);
}

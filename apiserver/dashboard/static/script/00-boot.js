// @ts-check
// The script of the pages. Pages work without it.

// HTML becomes part of a page here alone: it is that of our own answers.
const own = window.trustedTypes?.createPolicy("dashboard", {createHTML: text => text});

/** @param {string} html @returns {DocumentFragment} the elements of an answer of this server */
function elements(html) {
  const template = document.createElement("template");
  template.innerHTML = /** @type {any} */ (own ? own.createHTML(html) : html);
  return template.content;
}

/** @param {string} text what a screen reader says when there is a pause */
function announce(text) {
  const region = document.getElementById("announce");
  if (region) region.textContent = text;
}

// In a narrow window, the entry of the page that is open is in sight.
for (const current of /** @type {NodeListOf<HTMLElement>} */ (document.querySelectorAll(".nav [aria-current], .tabs [aria-current]"))) {
  const list = current.closest("ul");
  if (list) list.scrollLeft = current.offsetLeft + current.offsetWidth - list.clientWidth;
}

// The zone of the browser is offered until one is chosen.
const offer = document.getElementById("zone-offer");
const zone = Intl.DateTimeFormat().resolvedOptions().timeZone;
if (offer && zone && zone !== "UTC") {
  const link = Object.assign(document.createElement("a"), {href: "/app/account/settings?zone=" + encodeURIComponent(zone), textContent: "Use " + zone});
  offer.append(" · ", link);
  offer.hidden = false;
}

for (const use of /** @type {NodeListOf<HTMLElement>} */ (document.querySelectorAll("[data-zone-for]"))) {
  const field = /** @type {HTMLInputElement | null} */ (document.getElementById(use.dataset.zoneFor ?? ""));
  if (!field || !zone || field.value === zone) continue;
  use.textContent = "Use " + zone;
  use.hidden = false;
  use.addEventListener("click", () => {
    field.value = zone;
    use.hidden = true;
    field.focus();
  });
}

// Who goes to a field with suggestions types over what it has.
document.addEventListener("focusin", event => {
  const field = event.target;
  if (field instanceof HTMLInputElement && field.list) setTimeout(() => field.select());
});

// A menu closes when the focus or a click goes elsewhere, also into the frame with the text.
/** @param {Node | null} to */
const closeMenus = to => {
  for (const menu of document.querySelectorAll("details.menu[open]")) if (!menu.contains(to)) menu.removeAttribute("open");
};
for (const type of ["click", "focusin"]) document.addEventListener(type, event => closeMenus(/** @type {Node} */ (event.target)));
addEventListener("blur", () => { if (document.activeElement instanceof HTMLIFrameElement) closeMenus(document.activeElement); });

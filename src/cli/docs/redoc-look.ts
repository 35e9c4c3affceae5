/**
 * What Redoc's theme has no option for. Redoc's class names change from build to build, so elements are told by shape.
 * `.dark` is around what was rendered with the dark theme.
 */
export const REDOC_STYLES = `/* The page has a menu of its own. */
#docs .menu-content {
  display: none;
}

/* A command that is cut off at the edge cannot be read on a phone. */
#docs pre,
#docs pre code,
#docs .redoc-json code {
  white-space: pre-wrap;
  overflow-wrap: anywhere;
}

/* Names in a table of a description stay whole; Redoc breaks them after any letter. */
#docs thead code,
#docs thead ~ tbody code {
  word-break: normal;
  overflow-wrap: break-word;
}

/* The arrow beside "Authorizations". */
#docs div:has(> h5 + svg) {
  white-space: nowrap;
}

/* The description of a response begins beside its status. */
#docs button > strong + div > p:first-child {
  display: inline;
}

/* The link of a heading, which is an icon that only the mouse would find. */
#docs :is(h1, h2) > a:focus-visible::before {
  visibility: visible;
}

/* An invisible list of choices lies over what shows the choice. */
#docs div:has(> .dropdown-select:focus-visible) {
  outline: 2px solid var(--link);
}

/* Above a single operation or tag: which API, and which tag, it is of. */
.reference:is(.operation, .tag) .api-info > :not(h1) {
  display: none;
}

.reference:is(.operation, .tag) .api-info {
  padding-bottom: 0;
}

.reference:is(.operation, .tag) .api-info h1,
.reference.operation [data-section-id^="tag/"]:not(:has([data-section-id], .http-verb, pre)) h2 {
  margin: 0;
  color: var(--faint);
  font-size: 0.875rem;
  font-weight: 600;
  line-height: 1.5;
}

.reference.operation > .redoc-wrap > .api-content > [data-section-id]:not(:last-child),
.reference:is(.operation, .tag) > .redoc-wrap > .api-content > div:first-child {
  padding-bottom: 0;
}

.reference.operation > .redoc-wrap > .api-content > div:first-child + [data-section-id]:not(:last-child) {
  padding-top: 0;
}

/* Browsers follow the address by themselves, which would hide what is above. */
.reference.operation [data-section-id],
.reference.tag > .redoc-wrap > .api-content > div:first-child + [data-section-id] {
  scroll-margin-top: 100vh;
}

#docs .dark :is(h5, caption) {
  border-color: var(--line);
  color: var(--faint);
}

/* The media type in a heading. */
#docs .dark h5 :is(span, label) {
  color: var(--text);
}

#docs .dark .redoc-markdown :is(pre, code, th, td, tr, blockquote) {
  border-color: var(--line);
}

#docs .dark .redoc-markdown tr {
  background: var(--ground);
}

#docs .dark .redoc-markdown tr:nth-child(2n) {
  background: var(--raised);
}

#docs .redoc-markdown pre > code {
  border: 0;
}

#docs .redoc-markdown blockquote {
  color: var(--faint);
}

#docs .dark [data-section-id]::after,
#docs .dark :has(> .http-verb),
#docs .dark tbody > tr > td {
  border-bottom-color: var(--line);
}

/* Arrows. */
#docs .dark polygon {
  fill: currentColor;
}

/* Hides the end of a long text until "See more". */
#docs .dark .container + div {
  background-image: linear-gradient(to bottom, transparent, var(--ground));
}

#docs .dark :is(h1, h2) > a::before {
  filter: invert(1);
}

#docs .dark .deprecated,
#docs .dark .deprecated .property-name {
  color: var(--faint);
}

/* Type, limits and pattern of a property, one of which has a fixed colour. */
#docs .dark td > div > div > span:not([type]) {
  color: var(--text);
}

/* Properties within properties. */
#docs .dark td[colspan="2"] > div,
#docs .dark td[colspan="2"] td[colspan="2"] td[colspan="2"] > div {
  background: var(--raised);
}

#docs .dark td[colspan="2"] td[colspan="2"] > div {
  background: var(--ground);
}

#docs .dark div:has(> .dropdown-select):not(.react-tabs *) {
  border-color: var(--faint);
  background: var(--ground);
}

#docs .dark div:has(> .dropdown-select) {
  color: var(--text);
}

#docs .dark .react-tabs__tab--selected:not(.react-tabs .react-tabs *) {
  background: var(--ground);
}

#docs .dark [aria-pressed="false"] {
  background: var(--ground);
  color: var(--link);
}

#docs .dark [aria-pressed="true"] {
  background: var(--link);
  color: var(--ground);
}

/* On a narrow screen Redoc keeps a second distance below each heading that stands alone in its row. */
@media (max-width: 75rem) {
  #docs [data-section-id] > div > div:has(> :is(h1, h2):only-child) {
    padding-bottom: 0;
  }
}

@media (max-width: 40rem) {
  #docs thead th,
  #docs thead ~ tbody td {
    padding: 5px 6px;
  }

  #docs thead code,
  #docs thead ~ tbody code {
    padding: 0 3px;
    font-size: 12px;
  }

  #docs thead ~ tbody td:last-child code {
    overflow-wrap: anywhere;
  }
}

/* Paper is white, and browsers leave grounds out. */
@media print {
  #docs *,
  #docs *::before,
  #docs *::after {
    background: none !important;
    color: #000 !important;
    -webkit-text-fill-color: #000 !important;
    box-shadow: none !important;
    transition: none !important;
  }
}
`;

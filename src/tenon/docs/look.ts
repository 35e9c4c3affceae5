/** What Redoc's theme has no option for. Redoc's class names change from build to build, so elements are told by shape. */
export const STYLES = `body {
  margin: 0;
}

/* A command that is cut off at the edge cannot be read on a phone. */
#docs pre,
#docs pre code {
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

/* In place of Redoc's remote logo there is an empty picture. */
#docs .menu-content img {
  display: none;
}

#docs .menu-content {
  box-sizing: border-box;
  border-right: 1px solid #e1e4e8;
}

#docs .menu-content .operation-type {
  font-size: 9px;
}

#docs [data-role="search:results"] {
  min-height: 0;
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
`;

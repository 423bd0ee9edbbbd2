/** How `cairn render` and the editor's page talk: the page is opened with `filmQuery`, offers `filmPage` and calls the two bindings. */

/** In the page's address: it opens the run and waits for orders. */
export const filmQuery = 'film'
/** Global name of what the page offers, once it is ready. */
export const filmPage = 'cairnFilms'
/** Global functions that the browser's driver adds; each takes one text. */
export const filmBindings = { write: 'cairnFilmWrite', progress: 'cairnFilmProgress' } as const

/** Bytes at their place in the file. */
export interface FilmChunk {
  readonly position: number
  /** Base64. */
  readonly data: string
}

export interface FilmProgress {
  readonly done: number
  readonly of: number
}

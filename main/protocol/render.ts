/** Protocol between `cairn render` and the editor's page: the page is opened with `filmQuery`, provides `filmPage` and calls the two bindings. */

/** Parameter of the page's address: the page opens the run and waits for calls. */
export const filmQuery = 'film'
/** Global name of the page's interface, present when it is ready. */
export const filmPage = 'cairnFilms'
/** Global functions that the browser's driver adds; each takes one text. */
export const filmBindings = { write: 'cairnFilmWrite', progress: 'cairnFilmProgress' } as const

/** Bytes at a position of the file. */
export interface FilmChunk {
  readonly position: number
  /** Base64. */
  readonly data: string
}

export interface FilmProgress {
  readonly done: number
  readonly of: number
}

/** A file's text, put into the bundle by vite. */
declare module '*?raw' {
  const text: string
  export default text
}

/** The text of a file, which vite includes in the bundle. */
declare module '*?raw' {
  const text: string
  export default text
}

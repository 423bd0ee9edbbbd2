/** Types of components for tests that mount them; vue-tsc, which knows their properties, checks those of the renderer itself. */
declare module '*.vue' {
  import type { DefineComponent } from 'vue'

  const component: DefineComponent
  export default component
}

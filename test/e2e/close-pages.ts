/** The next file of a worker finds the browser as a new one. */
import { afterAll } from 'vitest'
import { closePages } from './chromium'

afterAll(closePages)

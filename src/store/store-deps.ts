import type { Clock } from '../base/clock.ts'
import type { Store } from './store.ts'

/** What most functions that read and write the database need. */
export interface StoreDeps {
  store: Store
  clock: Clock
}

import type { DashboardEvent } from '../../../src/contract/dashboard-event.ts'

/** Fake event stream that a test controls. */
export class FakeEvents extends EventTarget {
  static readonly CLOSED = 2
  static open: FakeEvents[] = []
  readonly url: string
  readyState = 1

  constructor(url: string) {
    super()
    this.url = url
    FakeEvents.open.push(this)
  }

  /** Sends an event to every open window. */
  static tell(event: DashboardEvent): void {
    for (const each of FakeEvents.open) each.dispatchEvent(new MessageEvent('message', { data: JSON.stringify(event) }))
  }

  close(): void {
    this.readyState = FakeEvents.CLOSED
    FakeEvents.open = FakeEvents.open.filter((each) => each !== this)
  }
}

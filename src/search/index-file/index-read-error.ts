/**
 * Reading an open index failed.
 *
 * - `failed`: reading it threw: it is damaged, or the code has a bug.
 * - `lost`: the thread that read it has ended or closed it. Reopening it may help.
 * - `vectors`: the vectors beside it cannot be read. The index itself may be whole.
 */
export type IndexReadFault = 'failed' | 'lost' | 'vectors'

export class IndexReadError extends Error {
  override readonly name = 'IndexReadError'
  readonly fault: IndexReadFault

  constructor(fault: IndexReadFault, message: string) {
    super(message)
    this.fault = fault
  }
}

/**
 * An open index gave no answer.
 *
 * - `failed`: reading it threw, so that it is damaged, or the code that reads it is wrong.
 * - `lost`: the thread that read it has ended, or has no longer got it open. Opening it again may help.
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

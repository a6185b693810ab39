/**
 * Reading an open index failed.
 *
 * - `failed`: reading threw: the file is damaged, or the code has a bug.
 * - `lost`: the reading thread has ended or closed the file. Reopening it may help.
 * - `vectors`: the vectors of the index cannot be read. The index itself may be intact.
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

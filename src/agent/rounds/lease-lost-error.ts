/** Another worker has the job, or it was cancelled: this worker may no longer write or push anything. */
export class LeaseLostError extends Error {
  override readonly name = 'LeaseLostError'

  constructor(jobId: string) {
    super(`The claim on the job ${jobId} is no longer current.`)
  }
}

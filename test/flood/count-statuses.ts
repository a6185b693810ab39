/** How many requests were answered with each status; 0 where there was no answer. */
export type StatusCounts = Record<number, number>

/** Reads an answer to its end. @returns Its status, 0 where there was none. */
export async function readStatus(request: Promise<Response>): Promise<number> {
  try {
    const response = await request
    await response.arrayBuffer()
    return response.status
  } catch {
    return 0
  }
}

/** @param send Called with 0, 1, … @param atOnce Requests under way at the same time. */
export async function countStatuses(
  times: number,
  send: (index: number) => Promise<Response>,
  atOnce: number = times,
): Promise<StatusCounts> {
  const counts: StatusCounts = {}
  let next = 0
  const client = async () => {
    while (next < times) {
      const status = await readStatus(send(next++))
      counts[status] = (counts[status] ?? 0) + 1
    }
  }
  await Promise.all(Array.from({ length: atOnce }, client))
  return counts
}

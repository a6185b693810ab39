/** Where a command prints. Results go to standard output, progress to standard error, so that results can be piped. */
export interface Output {
  readonly isJson: boolean
  /** One result: as JSON on one line, or as people read it. */
  result(value: unknown, forPeople: () => string): void
  /** Text of a result as it arrives; nothing in JSON mode. */
  write(text: string): void
  /** Something that is not the result. */
  progress(text: string): void
}

export function createOutput(isJson: boolean): Output {
  process.stdout.on('error', endOnClosedPipe)
  return {
    isJson,
    result: (value, forPeople) => void process.stdout.write(`${isJson ? JSON.stringify(value) : forPeople()}\n`),
    write: (text) => void (isJson || process.stdout.write(text)),
    progress: (text) => void process.stderr.write(`${text}\n`),
  }
}

/** Whoever read what was printed has seen enough, as `head` has: that is no failure. */
function endOnClosedPipe(error: NodeJS.ErrnoException): void {
  if (error.code === 'EPIPE') process.exit(0)
  throw error
}

/** Rows under their headings, columns as wide as their widest cell. */
export function formatTable(headings: readonly string[], rows: readonly (readonly string[])[]): string {
  const widths = headings.map((heading, column) =>
    Math.max(heading.length, ...rows.map((row) => row[column]?.length ?? 0)),
  )
  return [headings, ...rows]
    .map((row) =>
      row
        .map((cell, column) => cell.padEnd(widths[column] ?? 0))
        .join('  ')
        .trimEnd(),
    )
    .join('\n')
}

/** Output of a command. Results go to standard output and progress to standard error, so that results can be piped. */
export interface Output {
  readonly isJson: boolean
  /** One result: JSON on one line, or text. */
  result(value: unknown, forPeople: () => string): void
  /** A piece of a streamed result; ignored in JSON mode. */
  write(text: string): void
  /** Anything that is not part of the result. */
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

/** A reader that closes the pipe early, such as `head`, is not an error. */
function endOnClosedPipe(error: NodeJS.ErrnoException): void {
  if (error.code === 'EPIPE') process.exit(0)
  throw error
}

/** Left-aligned columns under headings. */
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

/** Text from outside for a terminal, which obeys control characters: on one line, and short. */
export function onOneLine(text: string): string {
  return text.replace(/[\p{Cc}\s]+/gu, ' ').slice(0, 300)
}

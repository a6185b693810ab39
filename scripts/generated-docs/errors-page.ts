import { errorAdvice } from '../../src/contract/error-advice.ts'
import { type ErrorCode, errorCodes } from '../../src/contract/error-codes.ts'
import { errorStatus } from '../../src/server/replies/error-status.ts'
import { writePage, writeTable } from './mdx-text.ts'

const statusNames: Readonly<Record<(typeof errorStatus)[ErrorCode], string>> = {
  400: 'the request is not valid',
  401: 'the key or the identity is not accepted',
  403: 'the key may not be used here',
  404: 'it does not exist for this key',
  405: 'wrong method',
  409: 'conflict',
  413: 'too large',
  415: 'not JSON',
  422: 'understood, and cannot be done',
  429: 'a limit is reached',
  500: 'a fault of the server',
  503: 'not available right now',
}

/** The error body, the table of codes, and a section for each status with its codes. */
export function writeErrorsPage(): string {
  const codes = errorCodes.toSorted((a, b) => errorStatus[a] - errorStatus[b] || a.localeCompare(b))
  const byStatus = Map.groupBy(codes, (code) => errorStatus[code])
  const sections = [...byStatus].flatMap(([status, members]) => [
    `## ${status}: ${statusNames[status]}`,
    ...members.flatMap((code) => writeCode(code)),
  ])
  const rows = codes.map((code) => [`\`${code}\``, String(errorStatus[code]), errorAdvice[code].meaning])
  return writePage({
    title: 'Error reference',
    description: 'Every error code with its HTTP status, what it means and what to do about it.',
    source: 'src/contract/error-codes.ts, src/contract/error-advice.ts and src/server/replies/error-status.ts',
    blocks: [introduction, writeTable(['Code', 'Status', 'Meaning'], rows), ...sections],
  })
}

function writeCode(code: ErrorCode): string[] {
  const { meaning, action } = errorAdvice[code]
  return [
    `### ${code}`,
    `The error \`${code}\` has the status ${errorStatus[code]}. ${meaning}`,
    `What to do: ${action}`,
  ]
}

const introduction = `An error is a reply with a status of 400 or more and a JSON body that says what to do.
Every error of every path has the same body, an unknown path and a wrong method included.

## What does an error look like?

\`\`\`json
{
  "error": "The request is not valid: fp must be a string.",
  "message": "The request is not valid: fp must be a string.",
  "code": "invalid_request",
  "requestId": "req_01K5Z3N8M4T6Q2W9X7V1B0C5D3",
  "details": [{ "path": "fp", "message": "fp must be a string." }]
}
\`\`\`

| Field | Meaning |
| --- | --- |
| \`error\` | A sentence for people that says what to do. |
| \`message\` | The same sentence, for clients that read this field. |
| \`code\` | A stable code for programs. |
| \`requestId\` | The id of the request, also in the header \`X-Request-Id\` and in the log. |
| \`details\` | What is wrong where, only with status 400. |

Replies with status 401 for a key carry \`WWW-Authenticate: Bearer\`, with 405 \`Allow\`, with 429 and 503 \`Retry-After\` in seconds.
An error after a stream has begun comes inside the stream, as [stream formats](/reference/streams) shows.

## All error codes`

import { type ErrorCode, errorCodes } from '../../src/contract/error-codes.ts'
import { errorStatus } from '../../src/server/error-status.ts'
import { writePage, writeTable } from './mdx-text.ts'

interface ErrorAdvice {
  meaning: string
  action: string
}

/** A code without advice does not compile. */
const advice: Readonly<Record<ErrorCode, ErrorAdvice>> = {
  invalid_json: {
    meaning: 'The body is not valid JSON.',
    action: 'Check its quotes, commas and brackets, and send it in UTF-8.',
  },
  invalid_request: {
    meaning: 'A field is missing, has the wrong type or is out of bounds.',
    action: 'Read `details`, which names the place and the fault of each field, and correct them.',
  },
  key_missing: {
    meaning: 'The request carries no key.',
    action: 'Send the header `Authorization: Bearer KEY`.',
  },
  key_invalid: {
    meaning: 'The key is not known to this installation.',
    action: 'Check that the key was copied whole, or create another one with `docent key create`.',
  },
  key_expired: {
    meaning: 'The lifetime of the key is over.',
    action: 'Create another key with `docent key create`, and give it a longer lifetime or none.',
  },
  key_revoked: {
    meaning: 'The key was revoked.',
    action: 'Create another key with `docent key create`. A revoked key never comes back.',
  },
  reader_identity_invalid: {
    meaning: 'The header `X-Docent-Identity` holds an identity that is not accepted.',
    action:
      'Sign a JWT with HS256 and the identity secret of the site, with the claims `sub`, `groups` and `exp`, where `exp` lies at most 24 hours ahead.',
  },
  session_missing: {
    meaning: 'A form was sent without the session of an owner.',
    action: 'Make a sign-in link with `docent owner-link`, open it, and send the form again.',
  },
  form_expired: {
    meaning: 'A form was sent with the token of another session, or with none.',
    action: 'Load the page again and send its form.',
  },
  ip_not_allowed: {
    meaning: 'The key has a list of addresses, and the address of the client is not in it.',
    action:
      'Create a key whose list holds the address. Behind a proxy, set `DOCENT_TRUST_PROXY`, so that the address of the client is seen and not that of the proxy.',
  },
  origin_not_allowed: {
    meaning: 'The key has a list of origins, and the `Origin` of the request is missing or not in it.',
    action: 'Create a key whose list holds the origin of your page, or use a key without origins on servers.',
  },
  scope_missing: {
    meaning: 'The admin key may only read, and the request writes.',
    action: 'Use an admin key with the scope `write`.',
  },
  wrong_key_kind: {
    meaning: 'An admin key was sent where an assistant key belongs, or the other way round.',
    action: 'Send an assistant key (`svc_dsc_…`) to `/discovery` paths and an admin key (`svc_…`) to `/admin` paths.',
  },
  not_found: {
    meaning: 'There is nothing at this path, or no such key, project or run.',
    action: 'Check the path against `/openapi.json` and the id against the list.',
  },
  page_not_found: {
    meaning: 'The site has no such page, or none that this reader may see.',
    action: 'Check the path of the page. A page with `groups` exists only for readers who are in one of them.',
  },
  site_not_found: {
    meaning: 'There is no such site, or the key belongs to another one.',
    action: 'Check the slug or host name in the path, and use a key of that site.',
  },
  pull_request_not_found: {
    meaning: 'There is no such pull request, or it belongs to another organization.',
    action: 'List the pull requests to see their ids. A page needs its whole address.',
  },
  repository_not_found: {
    meaning: 'There is no such repository, or it belongs to another organization.',
    action: 'Check the name, such as `default/docs`, against the list of repositories.',
  },
  job_not_found: {
    meaning: 'The project has no such job.',
    action: 'Check the id against `GET /v2/agent/{projectId}/jobs`.',
  },
  job_active: {
    meaning: 'The job is still being worked on.',
    action: 'Wait for its end, or cancel it first.',
  },
  job_archived: {
    meaning: 'The job is archived and takes no more messages.',
    action: 'Create a new job.',
  },
  no_repository: {
    meaning: 'No site of the project is built from a repository that the agent can open pull requests in.',
    action: 'Add a site from a folder or a repository, which imports it: `docent site add PATH`.',
  },
  message_not_found: {
    meaning: 'The feedback names an answer that this site does not have.',
    action: 'Send the `messageId` of the `start` event of the answer, after the answer has ended.',
  },
  thread_not_found: {
    meaning: 'The `threadKey` is not that of the thread.',
    action: 'Send the `X-Thread-Key` that came with the first answer, or leave out `threadKey`.',
  },
  method_not_allowed: {
    meaning: 'The path exists, but not for this method.',
    action: 'Use one of the methods in the header `Allow`.',
  },
  conflict: {
    meaning: 'A name is taken already, or a branch or a pull request has changed since you looked.',
    action: 'Choose another name, or look again and repeat the request.',
  },
  merge_conflict: {
    meaning: 'The branch of a pull request and the branch that it goes into changed the same lines.',
    action:
      'Merge the base branch into the branch of the pull request, settle the files that the error names, and push.',
  },
  body_too_large: {
    meaning: 'The body is over the size limit: 4 MiB for assistant messages, 256 KiB elsewhere.',
    action: 'Send less, such as fewer old messages.',
  },
  unsupported_media_type: {
    meaning: 'The body is not declared as JSON.',
    action: 'Send the header `Content-Type: application/json`.',
  },
  limit_reached: {
    meaning: 'A limit is used up. The header `RateLimit` names it.',
    action: 'Wait the seconds that `Retry-After` says. The owner of the server can raise limits in the configuration.',
  },
  internal_error: {
    meaning: 'Something went wrong on the side of the server.',
    action: 'Try again. If it stays, search the log of the server for the `requestId`.',
  },
  database_unavailable: {
    meaning: 'The database does not answer.',
    action: 'Try again after `Retry-After`. As the owner of the server, check that PostgreSQL or the disk is there.',
  },
  draining: {
    meaning: 'The server is stopping and takes no new requests.',
    action: 'Try again in a moment.',
  },
  site_not_ready: {
    meaning: 'The site has not been indexed yet.',
    action: 'Wait for its first sync. If it stays, read why the run failed with `docent site sync SLUG`.',
  },
  starting: {
    meaning: 'The server is starting.',
    action: 'Try again in a moment.',
  },
}

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
  const rows = codes.map((code) => [`\`${code}\``, String(errorStatus[code]), advice[code].meaning])
  return writePage({
    title: 'Error reference',
    description: 'Every error code with its HTTP status, what it means and what to do about it.',
    source: 'src/contract/error-codes.ts, src/server/error-status.ts and scripts/generated-docs/errors-page.ts',
    blocks: [introduction, writeTable(['Code', 'Status', 'Meaning'], rows), ...sections],
  })
}

function writeCode(code: ErrorCode): string[] {
  const { meaning, action } = advice[code]
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

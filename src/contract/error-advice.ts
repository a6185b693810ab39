import type { ErrorCode } from './error-codes.ts'

interface ErrorAdvice {
  /** A sentence. Both fields may contain code in backticks. */
  meaning: string
  /** What to do, in one or more sentences. */
  action: string
}

/**
 * Meaning of and remedy for each error code, shown in the error reference and the dashboard. A code without an entry
 * does not compile.
 */
export const errorAdvice: Readonly<Record<ErrorCode, ErrorAdvice>> = {
  invalid_json: {
    meaning: 'The body is not valid JSON.',
    action: 'Check its quotes, commas and brackets, and send it in UTF-8.',
  },
  invalid_request: {
    meaning: 'A field is missing, has the wrong type or is out of bounds.',
    action: 'Read `details`, which lists the invalid fields, and correct them.',
  },
  question_too_long: {
    meaning: 'The newest user message has more than 100,000 characters.',
    action: 'Ask a shorter question, and paste only the relevant part of a log or file.',
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
    meaning: 'The key has expired.',
    action: 'Create another key with `docent key create`, with a later expiry or none.',
  },
  key_revoked: {
    meaning: 'The key was revoked.',
    action: 'Create another key with `docent key create`. Revocation is permanent after 10 minutes.',
  },
  reader_identity_invalid: {
    meaning: 'The identity in the header `X-Docent-Identity` was rejected.',
    action:
      'Sign a JWT with HS256 and the identity secret of the site, with the claims `sub`, `groups` and `exp`. `exp` may be at most 24 hours ahead.',
  },
  code_host_refused: {
    meaning: 'The code host rejected the request: a credential or permission is missing, or a rule forbids it.',
    action: 'Read the message, which says what to change. `docent site check` tests every permission.',
  },
  code_host_unavailable: {
    meaning: 'The code host does not respond, or is rate-limiting requests.',
    action: 'Try again later, after `Retry-After` if the response has that header. Jobs retry automatically.',
  },
  chat_refused: {
    meaning: 'The chat platform rejected the request: the token is wrong, or a permission is missing.',
    action: 'Read the message, which says what to change.',
  },
  chat_unavailable: {
    meaning: 'The chat platform does not respond, or is rate-limiting requests.',
    action: 'Try again later.',
  },
  session_missing: {
    meaning: 'The request requires a session, which is missing or has expired.',
    action: 'Sign in again. Without a password, create a link with `docent owner-link` and open it.',
  },
  webhook_refused: {
    meaning: 'A request from a code host or chat platform has a wrong or outdated signature.',
    action:
      "Copy the address and secret from the site's settings to the webhook again, and choose JSON as the content type; for a bot, connect it again. Check the clock.",
  },
  sign_in_failed: {
    meaning: 'E-mail address and password do not match a member, or the provider did not confirm the person.',
    action: 'Check both. If you have lost your password, ask an owner for a link; owners run `docent owner-link`.',
  },
  form_expired: {
    meaning: "The form's token is missing or belongs to another session.",
    action: 'Reload the page and submit the form again.',
  },
  ip_not_allowed: {
    meaning: "The key is restricted to certain addresses, and the client's is not among them.",
    action:
      "Add the address to the key. Behind a proxy, set `DOCENT_TRUST_PROXY`, so that Docent sees the client's address instead of the proxy's.",
  },
  origin_not_allowed: {
    meaning: "The key is restricted to certain origins, and the request's `Origin` is missing or not among them.",
    action: "Add your page's origin to the key. On servers, use a key without origins.",
  },
  role_forbidden: {
    meaning: 'Your role does not allow this.',
    action: 'Ask an owner to do it, or to change your role on the Members page.',
  },
  proof_invalid: {
    meaning:
      'The solution does not match an open puzzle of `POST /discovery/v2/session/{domain}`, or was already used.',
    action: 'Request a new puzzle and solve it. A puzzle is valid for five minutes, one key and one network.',
  },
  session_required: {
    meaning: 'The key requires a session, always or above a request rate, and the request carried no valid one.',
    action:
      'Get one with `POST /discovery/v2/session/{domain}` and send it in `X-Docent-Session`. If the reply has `Retry-After`, you can instead wait that many seconds. See [Protect a public key](/guides/protect-a-public-key).',
  },
  source_not_allowed: {
    meaning: 'The request names a folder on the server that the settings do not allow.',
    action: 'Add the folder to `DOCENT_SOURCE_FOLDERS`, or run `docent site add` on the server.',
  },
  scope_missing: {
    meaning: 'The admin key is read-only, and the request writes.',
    action: 'Use an admin key with the scope `write`.',
  },
  wrong_key_kind: {
    meaning: 'An admin key was sent where an assistant key belongs, or vice versa.',
    action: 'Send an assistant key (`svc_dsc_…`) to `/discovery` paths and an admin key (`svc_…`) to `/admin` paths.',
  },
  not_found: {
    meaning: 'There is nothing at this path, or the key, project or run does not exist.',
    action: 'Check the path against `/openapi.json` and the id against the list.',
  },
  page_not_found: {
    meaning: 'The site has no such page, or the reader may not see it.',
    action: 'Check the path of the page. A page with `groups` exists only for readers who are in one of them.',
  },
  site_not_found: {
    meaning: 'There is no such site, or the key belongs to another one.',
    action: 'Check the slug or host name in the path, and use a key of that site.',
  },
  pull_request_not_found: {
    meaning: 'There is no such pull request, or it belongs to another organization.',
    action: 'List the pull requests to see their ids. The page of a pull request needs its full address.',
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
    action: 'Wait until it ends, or cancel it first.',
  },
  job_archived: {
    meaning: 'The job is archived and accepts no more messages.',
    action: 'Create a new job.',
  },
  model_required: {
    meaning: 'The job needs a language model, and this installation has only the built-in one.',
    action:
      'Set DOCENT_MODEL, or choose a model on the dashboard under Settings › Model. Or send a literal instruction such as those that the message names.',
  },
  no_repository: {
    meaning: 'No site of the project has a repository in which the agent can open pull requests.',
    action: 'Add a site from a folder or a repository, which imports it: `docent site add PATH`.',
  },
  message_not_found: {
    meaning: 'The site has no such answer.',
    action: 'Send the `messageId` of the `start` event of the answer, after the answer has ended.',
  },
  thread_not_found: {
    meaning: 'The `threadKey` does not belong to the thread.',
    action: 'Send the `X-Thread-Key` that came with the first answer, or leave out `threadKey`.',
  },
  method_not_allowed: {
    meaning: 'The path exists, but not for this method.',
    action: 'Use one of the methods in the header `Allow`.',
  },
  conflict: {
    meaning: 'The name is taken, or a branch or pull request has changed since you read it.',
    action: 'Choose another name, or reload and try again.',
  },
  last_owner: {
    meaning: 'The organization would be left without an owner.',
    action: 'Make another member an owner first.',
  },
  merge_conflict: {
    meaning: 'The branch of the pull request and its base branch changed the same lines.',
    action:
      'Merge the base branch into the branch of the pull request, resolve the conflicts in the files named by the error, and push.',
  },
  body_too_large: {
    meaning: 'The body exceeds the size limit: 4 MiB for assistant messages, 64 KiB for most other requests.',
    action: 'Send less, such as fewer old messages or smaller files.',
  },
  unsupported_media_type: {
    meaning: 'The body is not declared as JSON, or it is compressed.',
    action: 'Send it uncompressed, with the header `Content-Type: application/json`.',
  },
  limit_reached: {
    meaning: 'A limit is used up. The header `RateLimit` names it.',
    action: 'Wait for the number of seconds in `Retry-After`. Limits can be raised in the configuration.',
  },
  internal_error: {
    meaning: 'Something went wrong on the server.',
    action: "Try again. If the error persists, search the server's log for the `requestId`.",
  },
  answer_failed: {
    meaning: 'The answer broke off: the model failed or took too long. Only sent by `/v1/chat/completions`.',
    action: 'Ask again, or ask for less at a time. If you run the server, check the model on the dashboard.',
  },
  database_unavailable: {
    meaning: 'The database does not respond, or is not writable, for example because the disk is full.',
    action: 'Try again after `Retry-After`. If you run the server, check PostgreSQL and the disk.',
  },
  draining: {
    meaning: 'The server is stopping and accepts no new requests.',
    action: 'Try again in a moment.',
  },
  overloaded: {
    meaning: 'The server is overloaded and refuses requests that it could not answer in time.',
    action:
      'Wait for the number of seconds in `Retry-After`. If you run the server, raise its concurrency or start another process.',
  },
  site_not_confirmed: {
    meaning: "Most of the site's own links are broken, so it is not live until its owner confirms its page addresses.",
    action:
      'Run `docent site show SLUG` and open the addresses that it lists. If they are right, run `docent site confirm SLUG`; if not, change the URL or the folder with `docent site change`.',
  },
  site_not_ready: {
    meaning: 'The site has not been indexed yet, or its index is damaged and is being rebuilt.',
    action:
      'Try again after `Retry-After`. If the error persists, run `docent site sync SLUG` to see why the run failed.',
  },
  starting: {
    meaning: 'The server is starting.',
    action: 'Try again in a moment.',
  },
}

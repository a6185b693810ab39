import type { ErrorCode } from './error-codes.ts'

interface ErrorAdvice {
  /** A sentence. Like the other, it may hold code between backticks. */
  meaning: string
  /** What to do, in one or a few sentences. */
  action: string
}

/** What each error means and what to do: in the reference of errors and in the dashboard. A code without it does not compile. */
export const errorAdvice: Readonly<Record<ErrorCode, ErrorAdvice>> = {
  invalid_json: {
    meaning: 'The body is not valid JSON.',
    action: 'Check its quotes, commas and brackets, and send it in UTF-8.',
  },
  invalid_request: {
    meaning: 'A field is missing, has the wrong type or is out of bounds.',
    action: 'Read `details`, which names the place and the fault of each field, and correct them.',
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
  code_host_refused: {
    meaning: 'The code host refused the request: a credential or a permission is missing, or a rule forbids it.',
    action: 'Read the message, which says what to change where. `docent site check` tries every permission out.',
  },
  code_host_unavailable: {
    meaning: 'The code host does not respond, or is rate-limiting requests.',
    action:
      'Try again later; after the time of the header `Retry-After`, where there is one. Jobs do so by themselves.',
  },
  session_missing: {
    meaning: 'The request needs somebody who is signed in, and the session is missing or has ended.',
    action: 'Sign in again. Without a password, make a link with `docent owner-link` and open it.',
  },
  webhook_refused: {
    meaning: 'A webhook of a code host is not signed with the secret of its address, or its signature is too old.',
    action:
      'Copy address and secret again from the settings of the site into those of the webhook, and choose JSON as the content type. Check the clock of the code host.',
  },
  sign_in_failed: {
    meaning:
      'The e-mail address and the password are not those of a member, or the provider did not confirm the person.',
    action: 'Check both. Who has lost the password asks an owner for a link; an owner runs `docent owner-link`.',
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
  role_forbidden: {
    meaning: 'The role of the member who is signed in does not allow it.',
    action: 'Ask an owner to do it, or to change the role on the page of members.',
  },
  proof_invalid: {
    meaning:
      'What was sent does not solve an open puzzle of `POST /discovery/v2/session/{domain}`, or was used before.',
    action: 'Request a new puzzle and solve it. A puzzle is valid for five minutes, one key and one network.',
  },
  session_required: {
    meaning: 'The key requires a session, always or above a request rate, and the request carried no valid one.',
    action:
      'Get one with `POST /discovery/v2/session/{domain}` and send it in `X-Docent-Session`. If the reply has `Retry-After`, you can instead wait that many seconds. See [Protect a public key](/guides/protect-a-public-key).',
  },
  source_not_allowed: {
    meaning: 'A key or a session names a folder of the server that the settings do not allow.',
    action: 'Add the folder to `DOCENT_SOURCE_FOLDERS`, or run `docent site add` on the server.',
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
  last_owner: {
    meaning: 'The organization would be left without an owner.',
    action: 'Make another member an owner first.',
  },
  merge_conflict: {
    meaning: 'The branch of a pull request and the branch that it goes into changed the same lines.',
    action:
      'Merge the base branch into the branch of the pull request, settle the files that the error names, and push.',
  },
  body_too_large: {
    meaning: 'The body is over the size limit: 4 MiB for assistant messages, 64 KiB for most other requests.',
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
    meaning: 'The database does not respond, or is not writable, for example because the disk is full.',
    action: 'Try again after `Retry-After`. As the owner of the server, check that PostgreSQL or the disk is there.',
  },
  draining: {
    meaning: 'The server is stopping and takes no new requests.',
    action: 'Try again in a moment.',
  },
  overloaded: {
    meaning: 'The server has more to do than it can do in time, and refuses early instead of answering late.',
    action:
      'Wait the seconds that `Retry-After` says. The owner of the server can raise what it does at once, or start another process.',
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

import { groupDigits } from './count-of.ts'
import type { Message } from './message.ts'

/** What is checked of a change. */
export const checkedThings =
  'syntax, frontmatter, links and anchors, navigation, API descriptions, leftovers and secrets'

/**
 * Sentences of the service that front ends may word in their own language. `{name}` stands for a value; `{count}` chooses between the
 * forms of a plural, and an amount of money has a name that ends in `Usd`.
 */
export const messageTexts = {
  /** Text of others, or that has no translation. */
  verbatim: '{text}',

  'database-silent': 'The database does not respond. Check its server and DATABASE_URL.',
  'database-embedded': 'The embedded database answered in {ms} ms.',
  'database-postgres': 'PostgreSQL answered in {ms} ms.',
  'disk-unreadable': 'The data folder cannot be read. Check DOCENT_DATA and its owner.',
  'disk-full': '{free} of {all} GiB are free on the disk of the data folder. Free up space now.',
  'disk-nearly-full': '{free} of {all} GiB are free on the disk of the data folder. Free up space soon.',
  'disk-free': '{free} of {all} GiB are free on the disk of the data folder.',
  'model-answers': {
    one: '{model}: {count} answer in the last hour, {failed} failed.',
    other: '{model}: {count} answers in the last hour, {failed} failed.',
  },
  'model-unreachable': 'Test it with "docent doctor", and check its key and server.',
  'model-failing': 'Check the log for the reason.',
  'model-offline': 'It only quotes pages; set DOCENT_MODEL to use a language model.',
  'model-others': 'Other models that answered: {models}.',
  'embedding-off': 'Search only uses keywords. Set DOCENT_EMBEDDING_MODEL to search by meaning as well.',
  'embedding-ready': '{model}: {ready} of {sites} indexed sites have vectors.',
  'embedding-waiting': 'The others use keyword search until theirs are ready. If that takes long, check the log.',
  'embedding-worse':
    'The embedding model makes results of {site} worse ({before} → {after} of 100), so it is not used there: try another one.',
  'embedding-useless':
    'The embedding model makes results of {site} no better ({before} → {after} of 100), so it is not used there: try another one.',
  'hosts-none': 'No site uses a repository.',
  'hosts-readable': {
    one: 'At the last sync, the repository of the site was readable.',
    other: 'At the last sync, the repositories of {count} sites were readable.',
  },
  'hosts-unreadable': 'The repositories of these sites could not be read: {sites}.',
  'index-none': 'The site {site} has not been indexed yet.',
  'index-missing': 'The site {site} has no index.',
  'index-served': {
    one: 'Serving generation {generation}: {count} page.',
    other: 'Serving generation {generation}: {count} pages.',
  },
  'index-sync-failed': 'The latest sync failed.',
  'index-findings': { one: '{count} finding in the source.', other: '{count} findings in the source.' },
  'queue-empty': 'The queue is empty.',
  'queue-waiting': 'Waiting for a worker: {queues}.',
  'queue-stuck': 'The oldest has waited for more than ten minutes. Check that a worker is running ("docent work").',

  'need-database': 'The database has a problem',
  'need-disk': 'The disk is nearly full',
  'need-model': 'The model fails',
  'need-embedding': 'The embedding model fails',
  'need-index': 'The last sync failed',
  'need-index-fault': 'The index has a problem',
  'need-secrets': 'Stored secrets cannot be read',
  'need-queue': 'Work waits for a worker',
  'need-confirmation': 'Do its links open?',
  'need-confirmation-why': 'Most links of the site lead nowhere, so it waits for your answer.',
  'need-spending': 'Spending is at {spentUsd} of {ceilingUsd} today',
  'need-spending-why': 'At the ceiling, the offline model answers until tomorrow.',
  'need-key': 'The key “{name}” is at {percent}% of its month',
  'need-key-why': { one: '{used} of {count} answer.', other: '{used} of {count} answers.' },
  'need-digest': 'The weekly digest was not sent by e-mail',
  'need-job': 'A job failed: {title}',
  'need-pull-request': 'A pull request is ready: {title}',
  'need-discrepancies': {
    one: '{count} statement of the pages may be false',
    other: '{count} statements of the pages may be false',
  },
  'need-discrepancies-why': 'They contradict the product, each other or a schema.',
  'need-questions': {
    one: '{count} question without an answer in 7 days',
    other: '{count} questions without an answer in 7 days',
  },
  'need-questions-why': 'The newest: “{question}”',

  'check-words-all': 'Every page holds all words of its source.',
  'check-words-most': 'Most pages hold all words of their source; {file} holds the fewest, {percent} %.',
  'check-words-half': 'Half of its pages hold at least {median} %; {file} holds the fewest, {percent} %.',
  'check-links-all': {
    one: 'The only link between its pages leads somewhere.',
    other: 'All {count} links between its pages lead somewhere.',
  },
  'check-links-some': 'Links between its pages that lead somewhere: {working} of {count}.',
  'check-anchors-all': {
    one: 'The only link to a section finds it.',
    other: 'All {count} links to sections find them.',
  },
  'check-anchors-some': 'Links to sections that find them: {working} of {count}.',
  'check-addresses': 'By its own links, its pages are addressed {rule}.',
  'confirm-why': 'Most of its own links lead nowhere, so the addresses of its pages may be wrong.',
  'confirm-served': 'Readers still get the previous version.',
  'confirm-not-live': 'It is not live yet.',
  'confirm-links': { one: 'Does this link open?', other: 'Do these links open?' },
  'confirm-paths': 'Its URL is not set. Are these the paths of its pages where it is published?',

  'verdict-unanswered': 'The pages do not contain an answer.',
  'verdict-uncited': 'The answer cites no page.',
  'verdict-doubtful': 'The quoted passages are about the subject, but may not contain what was asked.',
  'verdict-missing': 'The cited pages do not contain “{fact}”.',
  'verdict-conflict': 'The pages disagree about {subject}.',

  'drift-package': 'The package `{subject}` has left the repository.',
  'drift-default': 'The default of `{subject}` is now `{successor}`, no longer `{value}`.',
  'drift-gone-name': 'The name `{subject}` no longer exists in the product.',
  'drift-gone-parameter': 'The parameter `{subject}` of `{owner}` no longer exists in the product.',
  'drift-gone-flag': 'The flag `{subject}` no longer exists in the product.',
  'drift-gone-command': 'The command `{subject}` no longer exists in the product.',
  'drift-gone-feature': 'The optional feature `{subject}` no longer exists in the product.',
  'drift-gone-variable': 'The variable `{subject}` no longer exists in the product.',
  'drift-gone-endpoint': 'The endpoint `{subject}` no longer exists in the product.',
  'drift-gone-field': 'The field `{subject}` of `{owner}` no longer exists in the product.',
  'drift-gone-package': 'The package `{subject}` no longer exists in the product.',
  'drift-gone-file': 'The file `{subject}` no longer exists in the product.',
  'drift-now': 'It is now `{successor}`.',
  'drift-perhaps': 'Perhaps it is now `{successor}`.',
  'drift-advice-default': 'State `{successor}` as the default, or leave the value out.',
  'drift-advice-renamed': 'Name `{successor}` instead of `{subject}` on these lines, or say that it was removed.',
  'drift-advice-gone': 'Name what replaced it instead of `{subject}` on these lines, or say that it was removed.',
  'drift-last': 'Last defined',
  'drift-changed': 'Changed',
  'drift-renamed': 'Renamed',
  'drift-removed': 'Removed',
  'drift-checked': 'Checked against',
  'drift-contradiction': 'Two pages give `{subject}` another {attribute}: `{one}` and `{other}`.',
  'drift-advice-contradiction': 'Correct the page that is wrong, or say under which condition each value applies.',

  'change-check': 'Documentation',
  'change-passed': `No new problem: ${checkedThings}.`,
} as const satisfies Record<string, MessageText>

type MessageText = string | { readonly one: string; readonly other: string }
export type MessageCode = keyof typeof messageTexts

type Values = Message['values']

export function messageOf(code: MessageCode, values: Values = {}): Message {
  return { code, values }
}

/** Text of others, such as the failure of a host. */
export function verbatim(text: string): Message {
  return messageOf('verbatim', { text })
}

/** Messages in English, a sentence after the other. */
export function writeMessages(messages: readonly Message[]): string {
  return messages.map(writeMessage).join(' ')
}

/**
 * The messages that a stored text was written from: a reason of a verdict, a title or an advice of a discrepancy, a check of a
 * change.
 *
 * They are stored in English, because clients get them so. Older ones, and those that were masked, are taken verbatim.
 */
export function readStoredText(text: string): Message[] {
  const whole = readStored(text)
  const next = whole === null ? text.search(/(?:It|Perhaps it) is now `[^`]*`\.$/) : 0
  const parts = next > 0 ? [readStored(text.slice(0, next - 1)), readStored(text.slice(next))] : [whole]
  const known = parts.filter((part) => part !== null)
  return known.length === parts.length ? known : [verbatim(text)]
}

function readStored(text: string): Message | null {
  for (const { code, pattern } of storedPatterns) {
    const match = pattern.exec(text)
    if (match !== null) return { code, values: { ...match.groups } }
  }
  return null
}

const storedPatterns = Object.entries<MessageText>(messageTexts).flatMap(([code, text]) => {
  if (typeof text !== 'string' || !/^(?:verdict|drift|change)-/.test(code)) return []
  const source = text
    .replace(/[.“”]/g, String.raw`\$&`)
    .replace(/`\{(\w+)\}`/g, '`(?<$1>[^`]*)`')
    .replace(/\{(\w+)\}/g, '(?<$1>.+)')
  return [{ code, pattern: new RegExp(`^${source}$`, 's') }]
})

function writeMessage({ code, values }: Message): string {
  const text: MessageText = messageTexts[code as MessageCode]
  const form = typeof text === 'string' ? text : values['count'] === 1 ? text.one : text.other
  return form.replace(/\{(\w+)\}/g, (_, name: string) => writeValue(name, values[name] ?? ''))
}

function writeValue(name: string, value: string | number): string {
  if (typeof value === 'string') return value
  if (name.endsWith('Usd')) return `$${value.toFixed(2)}`
  return Number.isInteger(value) ? groupDigits(value) : String(value)
}

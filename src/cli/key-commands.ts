import { type Command, InvalidArgumentError, Option } from 'commander'
import { listAll } from '../client/list-all.ts'
import type { KeyCreate, KeyResource, KeyUpdate } from '../contract/admin.ts'
import { AppError } from '../contract/app-error.ts'
import { type AnswerOption, answerOptionLabels, answerOptions } from '../contract/answer-options.ts'
import { keyDefaults, keyPurposes } from '../contract/key-defaults.ts'
import { printReply } from './connect.ts'
import { formatTable, type Output } from './output.ts'
import { collect, wholeNumber } from './option-values.ts'

export function addKeyCommands(program: Command, output: () => Output): void {
  const key = program.command('key').description('create, change, list and revoke keys')
  withKeyOptions(key.command('create'))
    .description('create a key, and print it once')
    .addOption(
      new Option('--kind <kind>', 'an admin key is for servers only; an assistant key is public, and for one site')
        .choices(['admin', 'assistant'])
        .makeOptionMandatory(),
    )
    .requiredOption('--name <name>', 'the name of the key')
    .option('--site <slug>', 'the site of an assistant key')
    .action(({ kind, name, site, ...options }: CreateOptions) =>
      printReply(
        output(),
        (client) => client.createKey({ body: { ...readKeyOptions(options), kind, name, siteId: site } }),
        ({ id, secret }) => `${secret}\n\nCreated ${id}. The key is shown only once: store it now.`,
      ),
    )
  withKeyOptions(key.command('change <id>'))
    .description('change the given options of a key')
    .option('--name <name>', 'the name of the key')
    .addOption(
      new Option('--clear <list>', 'empty a list: ips, origins, groups or answers; repeatable').argParser(
        collectOf(Object.keys(listsToClear)),
      ),
    )
    .action((id: string, options: ChangeOptions) => {
      const body = readKeyChange(options)
      return printReply(
        output(),
        (client) => client.updateKey({ params: { id }, body }),
        (changed) => `Changed ${changed.id} (${changed.name}).`,
      )
    })
  key
    .command('list')
    .description('list the keys, newest first')
    .action(() =>
      printReply(
        output(),
        (client) => listAll((cursor) => client.listKeys({ query: { cursor } })),
        (keys) => formatTable(['ID', 'KIND', 'FOR', 'NAME', 'ENDS WITH', 'STATE', 'LAST USED'], keys.map(toRow)),
      ),
    )
  key
    .command('revoke <id>')
    .description('revoke a key')
    .action((id: string) =>
      printReply(
        output(),
        (client) => client.revokeKey({ params: { id } }),
        (revoked) => `Revoked ${revoked.id} (${revoked.name}).`,
      ),
    )
}

interface KeyCommandOptions {
  for?: KeyUpdate['purpose']
  expiresInDays?: NonNullable<KeyUpdate['expiresInDays']> | 'never'
  scope?: KeyUpdate['scopes']
  ip?: string[]
  origin?: string[]
  group?: string[]
  answer?: AnswerOption[]
  session?: KeyUpdate['session']
  normalPerMinute?: number
  networkPerMinute?: number
  networkPerDay?: number
  networkShare?: number
}

type CreateOptions = KeyCommandOptions & Pick<KeyCreate, 'kind' | 'name'> & { site?: string }
type ChangeOptions = KeyCommandOptions & { name?: string; clear?: (keyof typeof listsToClear)[] }

const listsToClear = {
  ips: { ipRanges: [] },
  origins: { origins: [] },
  groups: { groups: [] },
  answers: { answerOptions: [] },
}

const { website } = keyDefaults
const count = wholeNumber(0, 9_999_999)

function withKeyOptions(command: Command): Command {
  return command
    .addOption(
      new Option(
        '--for <purpose>',
        'where an assistant key is used: in a website (public), by a server (secret), or by the pages that Docent serves',
      ).choices(keyPurposes),
    )
    .option('--expires-in-days <days>', '7, 30, 60 or 90 days from now, or never', lifetime)
    .addOption(
      new Option('--scope <scope>', 'what an admin key may do: read or write (default: both); repeatable').argParser(
        collectOf(['read', 'write']),
      ),
    )
    .option('--ip <range>', 'an IP address or CIDR range that may use the key; repeatable', collect)
    .option('--origin <origin>', 'an origin that may use an assistant key; repeatable', collect)
    .option('--group <group>', 'a reader group that holders of an assistant key belong to; repeatable', collect)
    .addOption(
      new Option(
        '--answer <option>',
        `how answers to an assistant key are written; repeatable. ${answerOptions.map((name) => `${name}: ${answerOptionLabels[name]}`).join('. ')}`,
      ).argParser(collectOf(answerOptions)),
    )
    .addOption(
      new Option(
        '--session <when>',
        `when requests with an assistant key need a session; ${website.session} for websites, ${keyDefaults.server.session} for servers`,
      ).choices(['off', 'pressure', 'always']),
    )
    .option(
      '--normal-per-minute <count>',
      `requests per minute from one network before it counts as pressure; ${website.normalPerMinute} by default`,
      count,
    )
    .option(
      '--network-per-minute <count>',
      `most requests per minute from one network; 0 for no limit; ${website.networkPerMinute} for websites`,
      count,
    )
    .option(
      '--network-per-day <count>',
      `most requests per day from one network; 0 for no limit; ${website.networkPerDay} for websites`,
      count,
    )
    .option(
      '--network-share <percent>',
      `percent of the monthly answers that one network may use per day; 0 for no limit; ${website.networkSharePercent} for websites`,
      count,
    )
}

function readKeyOptions(options: KeyCommandOptions): KeyUpdate {
  return {
    purpose: options.for,
    expiresInDays: options.expiresInDays === 'never' ? null : options.expiresInDays,
    scopes: options.scope,
    ipRanges: options.ip,
    origins: options.origin,
    groups: options.group,
    answerOptions: options.answer,
    session: options.session,
    normalPerMinute: options.normalPerMinute,
    networkPerMinute: options.networkPerMinute,
    networkPerDay: options.networkPerDay,
    networkSharePercent: options.networkShare,
  }
}

function readKeyChange({ name, clear = [], ...options }: ChangeOptions): KeyUpdate {
  const lists = clear.map((list) => listsToClear[list])
  const change = Object.assign({ name, ...readKeyOptions(options) }, ...lists) as KeyUpdate
  if (Object.values(change).some((value) => value !== undefined)) return change
  throw new AppError(
    'invalid_request',
    'Give at least one option to change, such as --name. Run with --help to list them.',
  )
}

function collectOf(choices: readonly string[]) {
  return (value: string, before: string[] | undefined): string[] => {
    if (choices.includes(value)) return collect(value, before)
    throw new InvalidArgumentError(`Use ${choices.join(' or ')}.`)
  }
}

/** `never` is not null, because commander would read null as an empty string. */
function lifetime(value: string): number | 'never' {
  if (value === 'never') return value
  if (/^(7|30|60|90)$/.test(value)) return Number(value)
  throw new InvalidArgumentError('Use 7, 30, 60, 90 or never.')
}

function toRow(key: KeyResource): string[] {
  return [key.id, key.kind, key.purpose ?? 'server', key.name, key.hint, describeState(key), key.lastUsedAt ?? 'never']
}

function describeState({ revokedAt, expiresAt }: KeyResource): string {
  if (revokedAt !== null) return 'revoked'
  if (expiresAt === null) return 'active'
  return Date.parse(expiresAt) <= Date.now() ? 'expired' : `until ${expiresAt.slice(0, 10)}`
}

import type { Clock } from '../../base/clock.ts'
import type { KeyUpdate } from '../../contract/admin.ts'
import { AppError, type ErrorDetail } from '../../contract/app-error.ts'
import type { KeyOptions } from '../../store/accounts/keys.ts'
import { dayMs } from '../../base/durations.ts'
import { parseIpRange } from './ip-ranges.ts'
import type { KeyKind } from './key-secret.ts'
import { parseOrigin } from './origins.ts'

/** Options as received. Null means absent, because many clients send it, except for the expiry. */
export type GivenKeyOptions = { [Name in keyof KeyUpdate]?: KeyUpdate[Name] | null }

/**
 * Validates the options of a key that is created or changed. Nothing else validates them.
 *
 * @param faults Faults found elsewhere, reported together with those found here.
 * @returns Only the given options, in stored form.
 * @throws {AppError} `invalid_request` with a detail per fault.
 */
export function readKeyOptions(
  clock: Clock,
  kind: KeyKind,
  given: GivenKeyOptions,
  faults: readonly ErrorDetail[] = [],
): Partial<KeyOptions> {
  const found = [...faults, ...kindFaults(kind, given), ...pageFaults(given)]
  const ipRanges = readList(given.ipRanges, 'ipRanges', found, (text) => {
    const parsed = parseIpRange(text)
    return 'fault' in parsed ? parsed : { value: parsed.range }
  })
  const origins = readList(given.origins, 'origins', found, (text) => {
    const parsed = parseOrigin(text)
    return 'fault' in parsed ? parsed : { value: parsed.origin }
  })
  if (found.length > 0) {
    throw new AppError('invalid_request', `These options do not fit the key: ${found[0]?.message}`, { details: found })
  }
  const { expiresInDays, ...rest } = given
  const expiresAt = expiresInDays == null ? null : clock.now() + expiresInDays * dayMs
  return {
    ...withoutNulls({ ...rest, ipRanges, origins }),
    ...(expiresInDays !== undefined && { expiresAt }),
  }
}

/** Reports options of the other kind of key rather than dropping them. Empty ones pass. */
function kindFaults(kind: KeyKind, given: GivenKeyOptions): ErrorDetail[] {
  const reasons: Partial<Record<keyof GivenKeyOptions, string>> =
    kind === 'assistant'
      ? { scopes: 'An assistant key has no scopes: leave them out.' }
      : {
          origins: 'An admin key never belongs in a browser, so it has no origins: leave them out.',
          groups: 'An admin key reads no pages, so it has no groups: leave them out.',
          answerOptions: 'An admin key asks no questions, so it has no answer options: leave them out.',
          purpose: 'An admin key is always for servers: leave the purpose out.',
          session: 'An admin key has no sessions: leave them out.',
          normalPerMinute: noNetworkLimits,
          networkPerMinute: noNetworkLimits,
          networkPerDay: noNetworkLimits,
          networkSharePercent: noNetworkLimits,
        }
  return Object.entries(reasons).flatMap(([path, message]) =>
    asksForSomething(given[path as keyof GivenKeyOptions]) ? [{ path, message }] : [],
  )
}

function pageFaults({ purpose, groups }: GivenKeyOptions): ErrorDetail[] {
  if (purpose !== 'pages' || !groups?.length) return []
  return [
    { path: 'groups', message: 'Every visitor of served pages gets this key, so it has no groups: leave them out.' },
  ]
}

const noNetworkLimits = 'An admin key has no limits per network: leave them out.'

function asksForSomething(value: GivenKeyOptions[keyof GivenKeyOptions]): boolean {
  return value != null && value !== 'off' && value !== 0 && !(Array.isArray(value) && value.length === 0)
}

function readList(
  texts: readonly string[] | null | undefined,
  path: string,
  faults: ErrorDetail[],
  read: (text: string) => { value: string } | { fault: string },
): string[] | undefined {
  return texts?.flatMap((text, index) => {
    const result = read(text)
    if ('value' in result) return [result.value]
    faults.push({ path: `${path}.${index}`, message: result.fault })
    return []
  })
}

type WithoutNulls<Given> = { [Name in keyof Given]?: NonNullable<Given[Name]> }

function withoutNulls<Given extends object>(given: Given): WithoutNulls<Given> {
  // `fromEntries` loses which value belongs to which name.
  return Object.fromEntries(Object.entries(given).filter(([, value]) => value != null)) as WithoutNulls<Given>
}

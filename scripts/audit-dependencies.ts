import { posix } from 'node:path'
import { z } from 'zod'
import { parseJson } from '../src/base/parse-json.ts'
import { allowedLicences, buildTools, failingSeverity, severities, type Severity } from './dependency-rules.ts'

const packageSchema = z.looseObject({
  version: z.string().optional(),
  license: z.string().optional(),
  resolved: z.string().optional(),
  integrity: z.string().optional(),
  link: z.boolean().optional(),
  hasInstallScript: z.boolean().optional(),
  os: z.array(z.string()).optional(),
  dependencies: z.record(z.string(), z.string()).optional(),
  optionalDependencies: z.record(z.string(), z.string()).optional(),
  peerDependencies: z.record(z.string(), z.string()).optional(),
})
export const lockfileSchema = z.looseObject({ packages: z.record(z.string(), packageSchema) })
export type AuditedLockfile = z.output<typeof lockfileSchema>

/** Folders of the packages whose needs come with the product: the service, and the dashboard's scripts. */
const shipped = ['', 'web']

/** Paths of the packages that come with the product: what its own packages need, and what those need. */
export function listProductionPackages({ packages }: AuditedLockfile): string[] {
  const found = new Set<string>()
  const waiting = shipped.filter((path) => path in packages)
  for (let path = waiting.pop(); path !== undefined; path = waiting.pop()) {
    const { dependencies, optionalDependencies, peerDependencies } = packages[path] ?? {}
    for (const name of Object.keys({ ...dependencies, ...optionalDependencies, ...peerDependencies })) {
      if (shipped.includes(path) && buildTools.includes(name)) continue
      const place = findPackage(packages, path, name)
      if (place === null || found.has(place)) continue
      found.add(place)
      waiting.push(place)
    }
  }
  return [...found].toSorted((a, b) => a.localeCompare(b, 'en'))
}

/** Where Node finds a package that the one at this path asks for: its own folder first, the root last. */
export function findPackage(packages: Readonly<Record<string, unknown>>, from: string, name: string): string | null {
  const parts = from.split('/node_modules/')
  for (let depth = parts.length; depth >= 0; depth--) {
    const folder = parts.slice(0, depth).join('/node_modules/')
    const place = posix.join(folder, 'node_modules', name)
    if (place in packages) return place
  }
  return null
}

/** A sentence for each package whose licence nobody has allowed, that runs a program when it is installed, or whose content is not pinned. */
export function findLockfileFaults(lockfile: AuditedLockfile): string[] {
  const { packages } = lockfile
  const production = listProductionPackages(lockfile)
  const licences = production
    .filter((path) => !isAllowedLicence(packages[path]?.license ?? ''))
    .map(
      (path) =>
        `${path} has the licence "${packages[path]?.license ?? 'none'}". Replace it, or allow the licence in scripts/dependency-rules.ts with a reason.`,
    )
  const scripts = production
    .filter((path) => packages[path]?.hasInstallScript === true)
    .map((path) => `${path} runs a program when it is installed. Replace it.`)
  return [...licences, ...scripts, ...findUnpinned(packages)]
}

/** What is named for other platforms only was never seen by the machine that wrote the lockfile. */
function findUnpinned(packages: AuditedLockfile['packages']): string[] {
  return Object.entries(packages).flatMap(([path, { integrity, link, os, resolved }]) => {
    if (!path.includes('node_modules/') || link === true) return []
    const faults: string[] = []
    if (integrity === undefined && os === undefined) faults.push(`${path} has no integrity. Run "npm install" again.`)
    if (resolved !== undefined)
      faults.push(`${path} names the registry it came from. Take "resolved" out, so that any mirror serves.`)
    return faults
  })
}

/** Reads the operators of SPDX: of `OR` one is enough, of `AND` all are needed. */
export function isAllowedLicence(expression: string): boolean {
  const inner = expression.replace(/^\((.*)\)$/, '$1')
  if (inner.includes(' OR ')) return inner.split(' OR ').some(isAllowedLicence)
  if (inner.includes(' AND ')) return inner.split(' AND ').every(isAllowedLicence)
  return allowedLicences.includes(inner)
}

const reportSchema = z.looseObject({
  vulnerabilities: z.record(
    z.string(),
    z.looseObject({ severity: z.enum(severities), range: z.string().optional(), via: z.array(z.unknown()) }),
  ),
})

export type AuditOutcome =
  | { kind: 'unavailable'; reason: string }
  | { kind: 'known'; failing: string[]; others: string[] }

/** Reads what `npm audit --json` printed. A registry that keeps no advisories, or no network, is `unavailable`. */
export function readAudit(printed: string): AuditOutcome {
  const parsed = reportSchema.safeParse(parseJson(printed))
  if (!parsed.success) return { kind: 'unavailable', reason: describeFailure(printed) }
  const found = Object.entries(parsed.data.vulnerabilities).map(([name, { severity, range }]) => ({
    severity,
    line: `${name} ${range ?? ''}: ${severity}`,
  }))
  const isFailing = (severity: Severity) => severities.indexOf(severity) >= severities.indexOf(failingSeverity)
  return {
    kind: 'known',
    failing: found.filter(({ severity }) => isFailing(severity)).map(({ line }) => line),
    others: found.filter(({ severity }) => !isFailing(severity)).map(({ line }) => line),
  }
}

/** The registry is not named, because its address is a matter of the machine. */
function describeFailure(printed: string): string {
  const { error, message } = (parseJson(printed) ?? {}) as { error?: { code?: unknown }; message?: unknown }
  const code =
    typeof error?.code === 'string'
      ? error.code
      : typeof message === 'string'
        ? /^\d{3} [\w ]+/.exec(message)?.[0]
        : undefined
  return (code ?? 'npm printed no report').trim()
}

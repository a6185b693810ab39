import { findPackage } from './audit-dependencies.ts'

/** The parts of `package-lock.json` that matter here. */
export interface Lockfile {
  packages: Record<string, LockedPackage>
}

export interface LockedPackage {
  version?: string
  dev?: boolean
  optional?: boolean
  os?: string[]
  cpu?: string[]
  optionalDependencies?: Record<string, string>
}

const systems = ['android', 'darwin', 'freebsd', 'linux', 'netbsd', 'openbsd', 'openharmony', 'sunos', 'win32']
const processors = ['arm', 'arm64', 'ia32', 'loong64', 'ppc64', 's390x', 'riscv64', 'x64']

/**
 * Adds the entries of optional packages for other platforms that npm left out.
 *
 * npm leaves them out where its registry lacks them, and `npm ci` then refuses the lockfile everywhere. What is added
 * has no integrity, because this machine cannot know it; npm installs it on its own platform only.
 *
 * @returns The paths that were added; `lockfile` is changed.
 * @throws {Error} For a gap that asks for a range of versions, which only npm can choose from.
 */
export function fillLockfile(lockfile: Lockfile): string[] {
  const added: string[] = []
  for (const [path, parent] of Object.entries(lockfile.packages)) {
    for (const [name, version] of Object.entries(parent.optionalDependencies ?? {})) {
      if (findPackage(lockfile.packages, path, name) !== null) continue
      if (!/^\d+\.\d+\.\d+/.test(version))
        throw new Error(`The lockfile lacks ${name}@${version}: run "npm install" again.`)
      const gap = `node_modules/${name}`
      lockfile.packages[gap] = describeGap(name, version, parent)
      added.push(gap)
    }
  }
  lockfile.packages = Object.fromEntries(
    Object.entries(lockfile.packages).toSorted(([a], [b]) => a.localeCompare(b, 'en')),
  )
  return added
}

/** The platform is in the name, as these packages are made by machines. */
function describeGap(name: string, version: string, parent: LockedPackage): LockedPackage {
  const words = name.split(/[/-]/)
  const cpu = processors.filter((processor) => words.includes(processor))
  const os = systems.filter((system) => words.includes(system))
  return {
    version,
    ...(cpu.length > 0 && { cpu }),
    ...(parent.dev && { dev: true }),
    optional: true,
    ...(os.length > 0 && { os }),
  }
}

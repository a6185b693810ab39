import { execFile } from 'node:child_process'
import { mkdir, mkdtemp, rm, symlink } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { promisify } from 'node:util'
import { z } from 'zod'

const execute = promisify(execFile)
const root = resolve(import.meta.dirname, '../..')

const packedSchema = z.object({
  filename: z.string(),
  size: z.number(),
  files: z.array(z.object({ path: z.string(), size: z.number() })),
})

export interface PackedClient extends z.output<typeof packedSchema> {
  /** Its tarball lies here, and every application gets a folder below. */
  folder: string
  /**
   * Makes the folder of an application that has installed the package.
   *
   * @param packages Folders below `node_modules` of the checkout, by the name that the application knows them by.
   */
  install(application: string, packages: Readonly<Record<string, string>>): Promise<string>
  remove(): Promise<void>
}

/** Builds and packs the client package as `npm publish` would. */
export async function packClient(): Promise<PackedClient> {
  // Within the checkout, so that compilers find the types that an application has besides.
  const cache = join(root, 'node_modules/.cache')
  await mkdir(cache, { recursive: true })
  const folder = await mkdtemp(join(cache, 'docent-client-'))
  const built = join(folder, 'built')
  await execute(process.execPath, [join(root, 'scripts/build-client.ts'), built], { cwd: root })
  const { stdout } = await execute('npm', ['pack', '--json', '--ignore-scripts', '--pack-destination', folder], {
    cwd: built,
  })
  const [packed] = z.tuple([packedSchema]).parse(JSON.parse(stdout))
  return {
    ...packed,
    folder,
    install: (application, packages) =>
      install({ folder, tarball: join(folder, packed.filename) }, application, packages),
    remove: () => rm(folder, { recursive: true, force: true }),
  }
}

async function install(
  { folder, tarball }: { folder: string; tarball: string },
  application: string,
  packages: Readonly<Record<string, string>>,
): Promise<string> {
  const home = join(folder, application)
  const client = join(home, 'node_modules/docent-client')
  await mkdir(client, { recursive: true })
  await execute('tar', ['-xzf', tarball, '--strip-components=1', '-C', client])
  for (const [name, installed] of Object.entries(packages)) {
    const place = join(home, 'node_modules', name)
    await mkdir(resolve(place, '..'), { recursive: true })
    await symlink(join(root, 'node_modules', installed), place)
  }
  return home
}

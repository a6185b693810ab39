import type { Client } from '../client/create-client.ts'
import { listAll } from '../client/list-all.ts'
import { nameCommand } from '../config/name-command.ts'
import { AppError } from '../contract/app-error.ts'
import type { RepositoryResource } from '../contract/repositories.ts'
import { withClient } from './connect.ts'
import { formatTable, type Output } from './output.ts'

/** `${nameCommand('repository list')}`: all of the built-in host. */
export async function listRepositories(output: Output): Promise<void> {
  const repositories = await withClient(readRepositories)
  output.result(repositories, () =>
    formatTable(
      ['NAME', 'BRANCH', 'CLONE WITH GIT', 'ID'],
      repositories.map(({ name, defaultBranch, cloneUrl, id }) => [name, defaultBranch, cloneUrl, id]),
    ),
  )
}

/** `docent repository remove`: only when it is said for sure, because its history is nowhere else. */
export async function removeRepository(output: Output, name: string, options: { yes?: boolean }): Promise<void> {
  if (options.yes !== true) {
    throw new AppError(
      'invalid_request',
      `This removes ${name} permanently, with its history and pull requests. To confirm: ${nameCommand(`repository remove ${name} --yes`)}`,
    )
  }
  await withClient(async (client) => {
    const repository = (await readRepositories(client)).find((known) => known.name === name)
    if (repository === undefined) {
      throw new AppError(
        'repository_not_found',
        `There is no repository ${name}. List them: ${nameCommand('repository list')}`,
      )
    }
    await client.deleteRepository({ params: { id: repository.id } })
  })
  output.result({ removed: name }, () => `${name} is removed.`)
}

function readRepositories(client: Client): Promise<RepositoryResource[]> {
  return listAll((cursor) => client.listRepositories({ query: { cursor } }))
}

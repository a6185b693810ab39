import type { Client } from '../client/create-client.ts'
import { listAll } from '../client/list-all.ts'
import { nameCommand } from '../config/name-command.ts'
import { AppError } from '../contract/app-error.ts'
import type { RepositoryResource } from '../contract/repositories.ts'
import { withClient } from './connect.ts'
import { formatTable, type Output } from './output.ts'

/** `docent repository list`: all repositories of the built-in host. */
export async function listRepositories(output: Output): Promise<void> {
  const repositories = await withClient(readRepositories)
  output.result(repositories, () =>
    formatTable(
      ['NAME', 'BRANCH', 'CLONE URL', 'ID'],
      repositories.map(({ name, defaultBranch, cloneUrl, id }) => [name, defaultBranch, cloneUrl, id]),
    ),
  )
}

/** `docent repository remove`: needs confirmation, because the history exists nowhere else. */
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
        `There is no repository ${name}. To list them: ${nameCommand('repository list')}`,
      )
    }
    await client.deleteRepository({ params: { id: repository.id } })
  })
  output.result({ removed: name }, () => `Removed ${name}.`)
}

function readRepositories(client: Client): Promise<RepositoryResource[]> {
  return listAll((cursor) => client.listRepositories({ query: { cursor } }))
}

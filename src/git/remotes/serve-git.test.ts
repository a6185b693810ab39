import { execFile } from 'node:child_process'
import { createHash } from 'node:crypto'
import { copyFile, mkdir, readdir } from 'node:fs/promises'
import { request } from 'node:http'
import { join } from 'node:path'
import { PassThrough, Readable } from 'node:stream'
import { text } from 'node:stream/consumers'
import { gzipSync } from 'node:zlib'
import { promisify } from 'node:util'
import { onTestFinished, describe, expect, it, vi } from 'vitest'
import { createGitRepository } from '../../../test/support/git-repository.ts'
import { type GitServingServerOptions, startGitServingServer } from '../../../test/support/git-serving-server.ts'
import { createBareRepository, importRepository } from '../repositories/bare-repository.ts'
import { readRef, updateRef } from '../repositories/refs.ts'
import { GitServing } from './serve-git.ts'

const live = new AbortController().signal
const run = promisify(execFile)

/** A served repository with one commit on `main`, and a clone of it with its own git. */
async function setup(options: Omit<GitServingServerOptions, 'gitDirectory'> = {}) {
  const source = await createGitRepository()
  onTestFinished(source.remove)
  await source.write('index.md', '# Home\n')
  const first = source.commit('The first')
  const gitDirectory = join(source.outside, 'served.git')
  await createBareRepository(gitDirectory)
  await importRepository({ gitDirectory, from: source.folder, ref: null, branch: 'main' }, live)
  const policy = { protectedRefs: ['refs/heads/main'], ...options.policy }
  const server = await startGitServingServer({ gitDirectory, ...options, policy })
  onTestFinished(server.stop)
  const env = {
    PATH: process.env['PATH'] ?? '',
    HOME: source.outside,
    GIT_TERMINAL_PROMPT: '0',
    GIT_AUTHOR_NAME: 'A',
    GIT_AUTHOR_EMAIL: 'a@example.com',
    GIT_COMMITTER_NAME: 'A',
    GIT_COMMITTER_EMAIL: 'a@example.com',
  }
  // Not synchronous, because the server answers from this process.
  const client = async (args: readonly string[], cwd = source.folder) => {
    const outcome = await run('git', [...args], { cwd, env }).catch(
      (error: { stdout: string; stderr: string; code: number }) => error,
    )
    return { code: 'code' in outcome ? outcome.code : 0, text: `${outcome.stdout}${outcome.stderr}` }
  }
  return { ...source, first, gitDirectory, server, client, read: (ref: string) => readRef({ gitDirectory, ref }, live) }
}

describe('fetches', () => {
  it.each(['0', '1', '2'])('are served in version %s of the protocol', async (version) => {
    const { client, server, outside, git } = await setup()
    const folder = join(outside, 'clone')

    const cloned = await client(['-c', `protocol.version=${version}`, 'clone', '--quiet', server.url, folder])

    expect(cloned).toEqual({ code: 0, text: '' })
    expect(git(['log', '--format=%s'], { cwd: folder })).toBe('The first')
    expect(server.outcomes.every((code) => code === 0)).toBe(true)
  })

  it('are announced identically to all clients by one process', async () => {
    const { gitDirectory } = await setup()
    const serving = new GitServing()
    const ask = async (protocol: string | null) => {
      const request = { gitDirectory, isAdvertisement: true, protocol, input: null }
      const { output, ended } = await serving.startUploadPack(request, live)
      const answer = await text(output)
      expect(await ended).toMatchObject({ exitCode: 0 })
      return answer
    }

    const first = await ask('version=2')
    // From here on no process can be started.
    vi.stubEnv('PATH', '/nowhere')
    const [second, older] = await Promise.allSettled([ask('version=2'), ask('version=1')])
    vi.unstubAllEnvs()

    expect(first).toMatch(/^000eversion 2\n.*ls-refs.*fetch=/s)
    expect(second).toMatchObject({ status: 'fulfilled', value: first })
    expect(older.status).toBe('rejected')
    expect(await ask('version=1')).toContain('refs/heads/main')
  })

  it('may be shallow and leave blobs out', async () => {
    const { client, server, outside } = await setup()

    const cloned = await client([
      'clone',
      '--quiet',
      '--bare',
      '--depth=1',
      '--filter=blob:none',
      server.url,
      join(outside, 'x.git'),
    ])

    expect(cloned.code).toBe(0)
  })

  it('do not list reserved refs', async () => {
    const { client, server, gitDirectory, first } = await setup()
    await updateRef({ gitDirectory, ref: 'refs/jobs/job_1', to: first, expected: null }, live)

    const listed = [
      await client(['ls-remote', server.url]),
      await client(['-c', 'protocol.version=0', 'ls-remote', server.url]),
    ]

    expect(listed.map(({ text }) => text.trim().split(/\s+/))).toEqual([
      [first, 'HEAD', first, 'refs/heads/main'],
      [first, 'HEAD', first, 'refs/heads/main'],
    ])
  })
})

describe('pushes', () => {
  it('make and move branches', async () => {
    const { client, server, write, git, commit, read } = await setup()
    git(['switch', '--quiet', '--create', 'topic'])
    await write('page.md', 'New\n')
    const second = commit()
    const made = await client(['push', server.url, 'topic'])
    await write('page.md', 'Newer\n')
    const third = commit()
    const moved = await client(['push', server.url, 'topic'])

    expect([made.code, moved.code]).toEqual([0, 0])
    expect([second === third, await read('refs/heads/topic')]).toEqual([false, third])
  })

  it('do not touch the protected branch, and say so', async () => {
    const { client, server, write, commit, read, first } = await setup()
    await write('page.md', 'New\n')
    commit()

    const pushed = await client(['push', server.url, 'main'])
    const deleted = await client(['push', server.url, ':main'])
    const pinned = await client(['push', server.url, 'HEAD:refs/jobs/x', 'HEAD:refs/pull/1/head'])

    expect([pushed.code, deleted.code, pinned.code]).toEqual([1, 1, 1])
    expect(pushed.text).toContain('main -> main (open a pull request for it)')
    expect(deleted.text).toContain('(it is protected and stays.)')
    expect([await read('refs/heads/main'), await read('refs/jobs/x'), await read('refs/pull/1/head')]).toEqual([
      first,
      null,
      null,
    ])
  })

  it('stay within the refs that may be written', async () => {
    const { client, server, read, first } = await setup({ policy: { writableRefs: ['refs/heads/docent/'] } })

    const outside = await client(['push', server.url, 'HEAD:refs/heads/other', 'HEAD:refs/tags/v1'])
    const within = await client(['push', server.url, 'HEAD:refs/heads/docent/edit'])

    expect([outside.code, within.code]).toEqual([1, 0])
    expect([await read('refs/heads/other'), await read('refs/tags/v1'), await read('refs/heads/docent/edit')]).toEqual([
      null,
      null,
      first,
    ])
  })

  it('do not rewrite history', async () => {
    const { client, server, git, write, commit, read } = await setup()
    await write('page.md', 'One\n')
    const one = commit()
    await client(['push', server.url, 'HEAD:topic'])
    git(['reset', '--quiet', '--hard', 'HEAD~1'])
    await write('page.md', 'Two\n')
    commit()

    const pushed = await client(['push', '--force', server.url, 'HEAD:topic'])

    expect(pushed.code).toBe(1)
    expect(pushed.text).toContain('non-fast-forward')
    expect(await read('refs/heads/topic')).toBe(one)
  })

  it.each(['..', '.git', '.GIT'])('bring no tree with an entry "%s"', async (name) => {
    const { client, server, git, read } = await setup()
    const blob = git(['rev-parse', 'HEAD:index.md'])
    const inner = git(['mktree'], { input: `100644 blob ${blob}\tescaped.md\n` })
    const outer = git(['mktree'], { input: `040000 tree ${inner}\t${name}\n` })
    const hostile = git(['commit-tree', outer, '-m', 'Hostile'])

    const pushed = await client(['push', server.url, `${hostile}:refs/heads/topic`])

    expect(pushed.code).toBe(1)
    expect(await read('refs/heads/topic')).toBeNull()
  })

  it('run no hook of the repository', async () => {
    const { client, server, gitDirectory, writeTrap, outside, git } = await setup()
    const trap = await writeTrap('hook')
    git(['config', 'core.hooksPath', join(gitDirectory, 'hooks')], { cwd: gitDirectory })
    await mkdir(join(gitDirectory, 'hooks'))
    for (const name of ['pre-receive', 'update', 'post-receive', 'post-update', 'reference-transaction']) {
      await copyFile(trap, join(gitDirectory, 'hooks', name))
    }

    const pushed = await client(['push', server.url, 'HEAD:topic'])

    expect(pushed.code).toBe(0)
    expect((await readdir(outside)).filter((name) => name.endsWith('.fired'))).toEqual([])
  })

  it('leave nothing behind if the client disconnects midway', async () => {
    const { gitDirectory, server, first } = await setup()
    const incoming = async () =>
      (await readdir(join(gitDirectory, 'objects'))).filter((name) => name.includes('incoming'))
    const command = `${'0'.repeat(40)} ${first} refs/heads/topic\0report-status`
    const posting = request({ port: server.port, method: 'POST', path: '/site.git/git-receive-pack' })
    posting.on('error', () => {})
    // The header of a pack that announces more objects than follow.
    const pack = Buffer.from('PACK\0\0\0\u0002\0\0\u00ff\u00ff', 'latin1')
    posting.write(
      Buffer.concat([Buffer.from(`${(command.length + 4).toString(16).padStart(4, '0')}${command}0000`), pack]),
    )
    await vi.waitFor(async () => expect(await incoming()).toHaveLength(1), { timeout: 30_000 })

    posting.destroy()

    await vi.waitFor(async () => expect(await incoming()).toEqual([]), { timeout: 30_000 })
  })

  it('end at the limit of their size', async () => {
    const { client, server, write, commit, read } = await setup({ policy: { inputBytesMax: 20_000 } })
    const blocks = Array.from({ length: 3000 }, (_, index) => createHash('sha256').update(String(index)).digest())
    const noise = Buffer.concat(blocks)
    await write('image.bin', noise)
    commit()

    const pushed = await client(['push', server.url, 'HEAD:topic'])

    expect(pushed.code).not.toBe(0)
    expect(await read('refs/heads/topic')).toBeNull()
  })
})

describe('GitServing', () => {
  it('refuses a body that exceeds the limit once decompressed', async () => {
    const { gitDirectory, first } = await setup()
    // Git keeps reading as long as more wants follow.
    const bomb = gzipSync(`0032want ${first}\n`.repeat(100_000))
    expect(bomb.length).toBeLessThan(100_000)
    const input = Readable.from([bomb])

    const started = await new GitServing().startUploadPack(
      { gitDirectory, isAdvertisement: false, protocol: null, input, isGzipped: true, inputBytesMax: 100_000 },
      live,
    )

    started.output.resume()
    await expect(started.ended).rejects.toMatchObject({ code: 'body_too_large' })
  })

  it('refuses a body that is not gzip', async () => {
    const { gitDirectory } = await setup()
    const input = Readable.from([Buffer.from('not gzip at all')])

    const started = await new GitServing().startUploadPack(
      { gitDirectory, isAdvertisement: false, protocol: null, input, isGzipped: true },
      live,
    )

    started.output.resume()
    await expect(started.ended).rejects.toMatchObject({ code: 'invalid_request' })
  })

  it('limits concurrent processes, and passes their slots on', async () => {
    const { gitDirectory } = await setup()
    const serving = new GitServing({ runningMax: 1, waitMsMax: 60_000 })
    const waiting = { gitDirectory, isAdvertisement: false, protocol: null, input: new PassThrough() }
    const first = await serving.startUploadPack(waiting, live)
    let hasBegun = false
    const second = serving.startUploadPack({ ...waiting, isAdvertisement: true, input: null }, live).then((started) => {
      hasBegun = true
      return started
    })
    const impatient = new GitServing({ runningMax: 0, waitMsMax: 1 }).startUploadPack(waiting, live)

    await expect(impatient).rejects.toMatchObject({ code: 'overloaded' })
    expect(hasBegun).toBe(false)
    first.output.destroy()
    await first.ended.catch(() => {})
    const started = await second
    started.output.resume()
    expect((await started.ended).exitCode).toBe(0)
  })

  it('stops git when the client disconnects', async () => {
    const { server } = await setup()

    const posting = request({ port: server.port, method: 'POST', path: '/site.git/git-upload-pack' })
    posting.on('error', () => {})
    posting.write('0011')
    await vi.waitFor(() => expect(server.countStarts()).toBe(1), { timeout: 30_000 })
    posting.destroy()

    await vi.waitFor(() => expect(server.outcomes).toHaveLength(1), { timeout: 30_000 })
  })
})

import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { createServer, type AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'

const program = '/usr/sbin/nginx'

export const hasNginx: boolean = existsSync(program)

const sample = join(import.meta.dirname, '../../deploy/nginx/docent.conf')

/** nginx with the sample configuration of the repository, in front of a server on this machine. */
export async function startNginx(upstreamUrl: string): Promise<{ url: string; stop(): Promise<void> }> {
  const folder = await mkdtemp(join(tmpdir(), 'docent-nginx-'))
  const port = await findFreePort()
  const site = (await readFile(sample, 'utf8'))
    .replace('server 127.0.0.1:4000;', `server ${new URL(upstreamUrl).host};`)
    .replace('listen 80;', `listen 127.0.0.1:${port};`)
    .replace('listen [::]:80;', '')
  await writeFile(join(folder, 'site.conf'), site)
  await writeFile(join(folder, 'nginx.conf'), mainConfiguration)
  const args = ['-p', folder, '-c', join(folder, 'nginx.conf'), '-e', join(folder, 'error.log')]
  const child = spawn(program, args, { stdio: 'ignore' })
  const ended = once(child, 'exit')
  const stop = async () => {
    child.kill('SIGTERM')
    await ended
    await rm(folder, { recursive: true, force: true })
  }
  const url = `http://127.0.0.1:${port}`
  for (let attempt = 0; attempt < 400 && child.exitCode === null; attempt++) {
    const reply = await fetch(`${url}/healthz`).catch(() => null)
    await reply?.body?.cancel()
    if (reply?.ok) return { url, stop }
    await wait(25)
  }
  const log = await readFile(join(folder, 'error.log'), 'utf8').catch(() => '')
  await stop()
  throw new Error(`nginx did not start: ${log}`)
}

/** What the distribution has around a site, as far as it is needed; all files in the folder, so that anybody may run it. */
const mainConfiguration = `
daemon off;
pid nginx.pid;
events {}
http {
  access_log off;
  client_body_temp_path body;
  proxy_temp_path proxy;
  fastcgi_temp_path fastcgi;
  uwsgi_temp_path uwsgi;
  scgi_temp_path scgi;
  include site.conf;
}
`

async function findFreePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo // A server on a port has no other kind of address.
  server.close()
  await once(server, 'close')
  return port
}

/** http or https without credentials, on the ports that these have, except where private addresses are allowed. */
export function isPlainAddress(url: URL, allowsPrivate: boolean): boolean {
  const isWeb = url.protocol === 'http:' || url.protocol === 'https:'
  return isWeb && url.username === '' && url.password === '' && (allowsPrivate || hasUsualPort(url))
}

/** Whether the port is one of the web's own: other ports are those of databases and of programs on this machine. */
export function hasUsualPort({ port }: URL): boolean {
  return ['', '80', '443'].includes(port)
}

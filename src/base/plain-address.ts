/** http or https without credentials, on ports 80 and 443 unless private addresses are allowed. */
export function isPlainAddress(url: URL, allowsPrivate: boolean): boolean {
  const isWeb = url.protocol === 'http:' || url.protocol === 'https:'
  return isWeb && url.username === '' && url.password === '' && (allowsPrivate || hasUsualPort(url))
}

/** Whether the port is 80 or 443. Other ports belong to databases and local programs. */
export function hasUsualPort({ port }: URL): boolean {
  return ['', '80', '443'].includes(port)
}

/** @returns Whether it succeeded; pages served over plain http have no clipboard. */
export function copyText(text: string): Promise<boolean> {
  return Promise.resolve()
    .then(() => navigator.clipboard.writeText(text))
    .then(
      () => true,
      () => false,
    )
}

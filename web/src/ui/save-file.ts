/** Saves texts or bytes as a file of the visitor. */
export function saveFile(name: string, parts: BlobPart[], type: string) {
  const link = Object.assign(document.createElement('a'), {
    href: URL.createObjectURL(new Blob(parts, { type })),
    download: name,
  })
  link.click()
  URL.revokeObjectURL(link.href)
}

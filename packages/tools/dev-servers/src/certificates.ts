import { execFile } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'

const openssl = (...args: string[]) => promisify(execFile)('openssl', args)
const newKey = ['-newkey', 'rsa:2048', '-nodes', '-days', '2']

/** An authority of one's own, for tests. The folder gets `ca.crt` and a file for each certificate. */
export async function createAuthority(folder: string, authority = 'Authority of a test') {
  const [caKey, caFile] = [join(folder, 'ca.key'), join(folder, 'ca.crt')]
  await openssl('req', '-x509', ...newKey, '-subj', `/CN=${authority}`, '-keyout', caKey, '-out', caFile)
  return {
    caFile,
    /** A certificate of a server on this machine. */
    issue: async (name: string) => {
      const [keyFile, certFile, request] = ['key', 'crt', 'csr'].map((ending) => join(folder, `${name}.${ending}`))
      const subject = ['-subj', `/CN=${name}`, '-addext', 'subjectAltName=DNS:localhost,IP:127.0.0.1']
      await openssl('req', ...newKey.slice(0, 3), ...subject, '-keyout', keyFile!, '-out', request!)
      await openssl(
        'x509',
        '-req',
        '-in',
        request!,
        '-CA',
        caFile,
        '-CAkey',
        caKey,
        '-CAcreateserial',
        '-days',
        '2',
        '-copy_extensions',
        'copy',
        '-out',
        certFile!,
      )
      const [key, cert, ca] = await Promise.all([keyFile!, certFile!, caFile].map((file) => readFile(file, 'utf8')))
      return { keyFile: keyFile!, certFile: certFile!, key: key!, cert: cert!, ca: ca! }
    },
  }
}

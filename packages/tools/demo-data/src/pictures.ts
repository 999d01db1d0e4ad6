import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Work } from './dataset.ts'

export const pictureFolder = join(import.meta.dirname, '../pictures')

const read = (folder: string, name: string) => readFile(join(pictureFolder, folder, `${name}.webp`))

export const workPicture = ({ picture }: Work) => read('works', picture)
export const avatarOf = (username: string) => read('avatars', username)
export const coverOf = (username: string) => read('covers', username)

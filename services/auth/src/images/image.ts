/** Images of an account: the column of `account` that has the name of the shown one, also the action of its quota. */
export type ImageKind = 'avatar' | 'cover'

/** An encoded image: the content of each file, by the suffix of its name (`-s`, `-640`, or none). */
export type EncodedImage = Record<string, Buffer>

/** The name of one file of an image, whose own name is `<32 hex digits>.webp`. */
export const fileName = (name: string, suffix: string) => name.replace(/\.webp$/, `${suffix}.webp`)

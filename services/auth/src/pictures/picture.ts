/** A picture of a profile: the column of `account` that has the name of the shown one, also the action of its quota. */
export type PictureKind = 'avatar' | 'cover'

/** An encoded picture: the content of each file, by the suffix of its name (`-s`, `-640`, or none). */
export type EncodedPicture = Record<string, Buffer>

/** The name of one file of a picture, whose own name is `<32 hex digits>.webp`. Also turns addresses. */
export const fileName = (name: string, suffix: string) => name.replace(/\.webp$/, `${suffix}.webp`)

/** Pixels of the small avatar: sharp in circles of up to half of that. */
export const SMALL_AVATAR_SIDE = 144

/** Suffixes of an avatar's files: the small one first, so that the large one is the last that is written. */
export const avatarSuffixes = ['-s', ''] as const

export const MAX_AVATAR_BYTES = 5 * 1024 * 1024

/** True for the name of an avatar's file, large or small; excludes paths. */
export const isAvatarFile = (name: string) => /^[0-9a-f]{32}(-s)?\.webp$/.test(name)

export const largeAvatar = (file: string) => file.replace('-s', '')

/**
 * Widths of a cover's files, in pixels: phones, tablets and desktops at their usual densities. The API lists them too.
 */
export const coverWidths = [640, 1120, 1680, 2400] as const
export const WIDEST_COVER = 2400

/** Width divided by height. Pages show a band of it that is at least as wide. */
export const COVER_RATIO = 3

export const coverSuffix = (width: number | string) => `-${width}`
export const coverSuffixes = coverWidths.map(coverSuffix)

export const MAX_COVER_BYTES = 10 * 1024 * 1024

/** True for the name of a cover; excludes paths. */
export const isCoverName = (name: string) => /^[0-9a-f]{32}\.webp$/.test(name)

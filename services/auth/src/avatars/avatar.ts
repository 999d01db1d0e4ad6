/** Pixels of the small picture: sharp in circles of up to half of that. */
export const SMALL_AVATAR_SIDE = 144

/** Suffixes of an avatar's files: the small picture first, so that the large one is the last that is written. */
export const avatarSuffixes = ['-s', ''] as const

/** Name or address of the small picture of an avatar; the front end derives it, too. */
export const smallAvatar = (avatar: string) => avatar.replace(/\.webp$/, '-s.webp')

export const largeAvatar = (file: string) => file.replace('-s', '')

export const MAX_AVATAR_BYTES = 5 * 1024 * 1024

/** True for the name of an avatar file, large or small; excludes paths. */
export const isAvatarName = (name: string) => /^[0-9a-f]{32}(-s)?\.webp$/.test(name)

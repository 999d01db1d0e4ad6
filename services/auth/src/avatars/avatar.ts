export const MAX_AVATAR_BYTES = 5 * 1024 * 1024

/** True for the name of an avatar file; excludes paths. */
export const isAvatarName = (name: string) => /^[0-9a-f]{32}\.webp$/.test(name)

import sharp from 'sharp'

// No result is needed twice: by default libvips keeps up to 50 MB of them, of which malloc then returns little.
sharp.cache(false)
// One thread for each image; each component limits how many it encodes at once.
sharp.concurrency(1)

export { sharp }

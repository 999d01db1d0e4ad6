/** Loaded before a process of the cluster: a launcher that was killed leaves nothing behind. */
process.once('disconnect', () => process.exit(1))
process.channel?.unref()

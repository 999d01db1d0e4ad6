/** Preloaded into each process of the cluster: it exits with the launcher, even after a SIGKILL of the launcher. */
process.once('disconnect', () => process.exit(1))
process.channel?.unref()

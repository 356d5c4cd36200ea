#!/bin/sh
# A Slurm array: each task works on its part of the images. Places are folders that all nodes share, or buckets.
#   FROM=/shared/photos TO=/shared/small sbatch slurm.sh --quality high
# The same command goes on with what is left, where a task was ended or a node failed.
#SBATCH --job-name=pixpress
#SBATCH --array=1-4
#SBATCH --cpus-per-task=2
#SBATCH --mem=4G
#SBATCH --output=pixpress-%A-%a.log

exec npx pixpress batch --from "${FROM:?}" --to "${TO:?}" --convert webp --shard auto --concurrency "${SLURM_CPUS_PER_TASK:-2}" "$@"

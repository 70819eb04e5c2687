-- AlterTable
ALTER TABLE "environment" ADD COLUMN     "max_files_per_hour" INTEGER NOT NULL DEFAULT 2000,
ADD COLUMN     "max_megabytes_per_hour" INTEGER NOT NULL DEFAULT 20000,
ADD COLUMN     "max_pages_per_hour" INTEGER NOT NULL DEFAULT 20000,
ADD COLUMN     "max_readings_at_once" INTEGER NOT NULL DEFAULT 20;

-- CreateIndex
CREATE INDEX "run_created_by_id_created_at_idx" ON "run"("created_by_id", "created_at");

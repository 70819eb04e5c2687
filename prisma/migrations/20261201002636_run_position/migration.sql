-- AlterTable
ALTER TABLE "run" ADD COLUMN     "position" INTEGER NOT NULL DEFAULT 0;

-- AlterTable
ALTER TABLE "approval" ADD COLUMN     "about" TEXT NOT NULL DEFAULT 'change';

UPDATE "approval" SET "about" = 'budget' WHERE "deployment_id" IS NULL AND "title" LIKE 'Go beyond the %-hour budget of %' OR "title" LIKE 'Go beyond the money budget of %';
